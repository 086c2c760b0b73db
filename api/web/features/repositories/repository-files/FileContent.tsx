import { Empty } from '../../../ui/Empty.js';
import { Html } from '../../../ui/Html.js';
import styles from './AtRef.module.css';

interface FileContentProps {
  name: string;
  /** Null if the file is binary or too large. */
  text: string | null;
  /** Rendered HTML, if it is to be displayed rendered. */
  html: string | null;
  /** Where pictures are read that it shows. */
  pictureAt?: (address: string) => string | null;
  /** Prefix of the fragment of its lines: `L12`. */
  anchor?: string;
}

/** The content of a file. */
export function FileContent({ name, text, html, pictureAt, anchor = 'L' }: FileContentProps) {
  if (text === null) return <Empty>This file is binary or too large to display. Use “Raw” to download it.</Empty>;
  if (text === '') return <Empty>This file is empty.</Empty>;
  if (html === null) return <Lines name={name} text={text} anchor={anchor} />;
  return <Html label={name} html={html} {...(pictureAt ? { pictureAt } : {})} />;
}

/** Text with its numbers, each the address of its line. */
function Lines({ name, text, anchor }: { name: string; text: string; anchor: string }) {
  const count = text.replace(/\n$/, '').split('\n').length;
  return (
    <div className={styles.lines}>
      <div className={styles.numbers}>
        {Array.from({ length: count }, (_none, index) => (
          <a key={index} id={`${anchor}${index + 1}`} href={`#${anchor}${index + 1}`} tabIndex={-1}>
            {index + 1}
          </a>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus */}
      <section className={styles.text} aria-label={name} tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </div>
  );
}
