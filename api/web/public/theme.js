// Before anything is drawn, so that a chosen theme does not flash by the other one.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be closed to pages; then the system's theme stands.
}
