import { Code } from './Code.js';
import { CopyButton } from './CopyButton.js';
import styles from './JsonView.module.css';

interface JsonViewProps {
  label: string;
  value: unknown;
  /** Collapsed until opened. */
  folded?: boolean;
}

/** A value as JSON, with a button that copies it. */
export function JsonView({ label, value, folded = false }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className={styles.view}>
      <div className={styles.copy}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      {folded ? (
        <details className={styles.folded}>
          <summary>Show {label}</summary>
          <Code label={label}>{text}</Code>
        </details>
      ) : (
        <Code label={label}>{text}</Code>
      )}
    </div>
  );
}
