// Sets the theme before the first paint. Same rule as src/lib/appearance.ts; kept tiny because it blocks.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('hx_appearance');
  } catch {
    // Storage may be switched off; then the system decides.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light');
  try {
    // Pages written at the build offer to go on instead of signing in, without a flash.
    if (localStorage.getItem('spss_token')) document.documentElement.setAttribute('data-signed', '');
  } catch {
    // Then they offer to sign in.
  }
})();
