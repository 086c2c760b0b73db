import styles from './Html.module.css';

/** The marks before headings are hidden from screen readers: the keyboard passes them over too. */
const withoutStops = (html: string): string => html.replaceAll('<a class="anchor"', '<a tabindex="-1" class="anchor"');

/**
 * Markdown of people as the API rendered it: the only part that takes HTML, and only for the API's own `…_html` fields.
 * These are cleaned where they are made (`shared/core/markdown.ts`), of scripts, styles and handlers; the policy of the
 * pages refuses what would still ask for something elsewhere, such as pictures of other services. It may be wider than
 * its frame, which the keyboard then scrolls.
 */
export function Html({ label, html }: { label: string; html: string }) {
  const inner = { __html: withoutStops(html) };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
    <section aria-label={label} tabIndex={0} className={styles.html} dangerouslySetInnerHTML={inner} />
  );
}
