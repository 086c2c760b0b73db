import { useMemo } from 'react';
import styles from './Html.module.css';

interface HtmlProps {
  label: string;
  html: string;
  /** Path of the page of the file that the text is of: relative addresses in it are seen from there. */
  base?: string;
  /** Where a picture is read that is beside that file, by its address as seen from there. */
  pictureAt?: (address: string) => string | null;
}

/** What an address is relative to nothing else: a scheme, a path from the top, a part of this page. */
const WHOLE = /^(?:[a-z][a-z\d+.-]*:|\/|#|\?)/i;
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Where an address in a text leads, as seen from the page of the file that the text is of. */
const within = (address: string, base: string | undefined): string => {
  if (base === undefined || WHOLE.test(address)) return address;
  const { pathname, search, hash } = new URL(address, `http://here${base}`);
  return pathname + search + hash;
};

/** Pictures of other services are not asked for: their words stand there instead, and lead to them. */
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
  // A document apart: nothing in it is asked for, and no script runs.
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
 * Markdown of people as the API rendered it: the only part that takes HTML, and only for the API's own `…_html` fields.
 * These are cleaned where they are made (`shared/core/markdown.ts`), of scripts, styles and handlers; the policy of the
 * pages refuses what would still ask for something elsewhere. It may be wider than its frame, which the keyboard then
 * scrolls.
 */
export function Html({ label, html, base, pictureAt }: HtmlProps) {
  const inner = useMemo(() => ({ __html: led(html, { base, pictureAt }) }), [html, base, pictureAt]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
    <section aria-label={label} tabIndex={0} className={styles.html} dangerouslySetInnerHTML={inner} />
  );
}
