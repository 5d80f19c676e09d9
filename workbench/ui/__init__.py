"""The app in the browser. The only package that imports Streamlit."""
