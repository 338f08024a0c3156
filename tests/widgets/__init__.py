"""A package: what is made once for it goes when its tests are done. A browser keeps other tests from running a loop."""
