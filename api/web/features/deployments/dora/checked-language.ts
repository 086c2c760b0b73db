/*
 * The chart library reads the number format of the browser's language when it loads, and fails for tags that JavaScript
 * does not accept, such as the `en-US@posix` of a browser that was started without a locale. Such a browser counts as
 * English here. Must be imported before the library.
 */

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

if (!isLanguage(navigator.language)) Object.defineProperty(navigator, 'language', { configurable: true, value: 'en' });
