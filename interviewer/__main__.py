"""`python -m interviewer`: the command line."""

from interviewer.cli import main

if __name__ == "__main__":
    main()
