import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from './Button.js';
import { CopyButton } from './CopyButton.js';
import styles from './Secret.module.css';

interface SecretProps {
  title: string;
  value: string;
  /** Takes it from the page; nothing shows it again. */
  onDone: () => void;
  /** How it is used. */
  children?: ReactNode;
}

/** A secret that is displayed only once. It exists in the page's memory alone: not in the URL, not in storage. */
export function Secret({ title, value, onDone, children }: SecretProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.secret} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <div className={styles.value}>
        <input
          className={styles.text}
          aria-label="The new token"
          value={value}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={value} />
      </div>
      {children}
      <p className={styles.warning}>Copy it now and store it safely. It can't be shown again.</p>
      <div>
        <Button onClick={onDone}>I have copied it</Button>
      </div>
    </section>
  );
}
