// Before the first paint, so that a dark page never flashes light. The Content-Security-Policy allows no inline script.
try {
  var theme = localStorage.getItem('sheaf.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  var language = localStorage.getItem('sheaf.language') || (navigator.language.indexOf('zh') === 0 ? 'zh' : 'en');
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
} catch (error) {
  console.info('settings are not kept in this browser', error);
}
