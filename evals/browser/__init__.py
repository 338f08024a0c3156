"""JupyterLab in a headless Chromium, for whatever must be seen, heard or measured in a real page."""
