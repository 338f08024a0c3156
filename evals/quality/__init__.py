"""Whether metrics agree with people, on public labelled data that the user fetches."""
