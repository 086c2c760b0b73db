import { useMemo } from 'react';
import styles from './Html.module.css';

interface HtmlProps {
  label: string;
  html: string;
  /** Path of the page of the file that the text is of: relative addresses in it are seen from there. */
  base?: string;
  /** The address of an image next to that file, by its relative address. */
  pictureAt?: (address: string) => string | null;
}

/** An address that is not relative to the file: with a scheme, from the root, or within this page. */
const WHOLE = /^(?:[a-z][a-z\d+.-]*:|\/|#|\?)/i;
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Where an address in a text leads, as seen from the page of the file that the text is of. */
const within = (address: string, base: string | undefined): string => {
  if (base === undefined || WHOLE.test(address)) return address;
  const { pathname, search, hash } = new URL(address, `http://here${base}`);
  return pathname + search + hash;
};

/** Images of other services are not loaded: a link with their text replaces them. */
function createPictureLink(picture: HTMLImageElement, to: string): Node {
  const text = picture.alt.trim() === '' ? 'picture' : picture.alt;
  if (picture.closest('a')) return picture.ownerDocument.createTextNode(text);
  const link = picture.ownerDocument.createElement('a');
  link.href = to;
  link.rel = 'nofollow noreferrer noopener';
  link.textContent = text;
  return link;
}

/** The same HTML with addresses that lead where they should. The marks before headings are hidden from screen readers: the keyboard passes them over too. */
function led(html: string, { base, pictureAt }: Pick<HtmlProps, 'base' | 'pictureAt'>): string {
  // A detached document: it loads nothing, and no script runs.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const mark of body.querySelectorAll('a.anchor')) mark.setAttribute('tabindex', '-1');
  for (const link of body.querySelectorAll('a[href]'))
    link.setAttribute('href', within(link.getAttribute('href') ?? '', base));
  for (const picture of body.querySelectorAll('img')) {
    const from = picture.getAttribute('src') ?? '';
    const beside = WHOLE.test(from) ? null : (pictureAt?.(from) ?? null);
    if (beside !== null) {
      picture.setAttribute('src', beside);
      picture.setAttribute('loading', 'lazy');
    } else if (ELSEWHERE.test(from) || !WHOLE.test(from))
      picture.replaceWith(createPictureLink(picture, within(from, base)));
  }
  return body.innerHTML;
}

/**
 * Users' Markdown as rendered by the API: the only component that accepts HTML, and only for the API's own `…_html`
 * fields. These are sanitized when they are rendered (`shared/core/markdown.ts`): scripts, styles and handlers are
 * removed; the content security policy of the pages blocks remaining requests to other sites. The content may be wider
 * than its frame, which can then be scrolled by keyboard.
 */
export function Html({ label, html, base, pictureAt }: HtmlProps) {
  const inner = useMemo(() => ({ __html: led(html, { base, pictureAt }) }), [html, base, pictureAt]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
    <section aria-label={label} tabIndex={0} className={styles.html} dangerouslySetInnerHTML={inner} />
  );
}
