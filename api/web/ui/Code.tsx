import styles from './Code.module.css';

/** Text as programs write it. It may be larger than its frame, which the keyboard then scrolls. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
    <section aria-label={label} tabIndex={0} className={styles.code}>
      <pre>{children}</pre>
    </section>
  );
}
