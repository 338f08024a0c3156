from tests.project.checkout import files, python


def test_notebooks_are_committed_without_outputs_and_counts() -> None:
    for notebook in files("notebooks/*.ipynb"):
        python("-m", "nbstripout", "--verify", str(notebook))
