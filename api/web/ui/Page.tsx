import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import styles from './Page.module.css';
import { UnbrokenText } from './UnbrokenText.js';

/** The path of the previous page; null for the first one, where the browser sets the focus. */
let last: string | null = null;

/**
 * Whether the user navigated here by a link, or the focused element is gone: a mere re-render does not move the focus.
 */
function takesFocus(main: HTMLElement | null | undefined): boolean {
  const held = document.activeElement;
  // A field of the page already has the focus.
  if (last === null || main?.contains(held)) return false;
  return last !== location.pathname || held === null || held === document.body;
}

interface PageProps {
  title: string;
  /** One or two sentences below the title. */
  lead?: ReactNode;
  /** The one thing that most people do here. */
  action?: ReactNode;
  /** One narrow column, for pages with a single form. */
  narrow?: boolean;
  children?: ReactNode;
}

/**
 * The layout of every page: its title, also in the tab, which receives the focus after navigation, unless a field has
 * it.
 */
export function Page({ title, lead, action, narrow = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === 'Capstan' ? title : `${title} · Capstan`;
  }, [title]);
  useEffect(() => {
    const focus = () => {
      if (takesFocus(heading.current?.closest('main'))) heading.current?.focus();
      last = location.pathname;
    };
    if (last !== location.pathname) return focus();
    // A dialog that closes returns the focus in the next frame: until then nothing has it.
    const frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <main id="content" className={narrow ? `${styles.page} ${styles.narrow}` : styles.page} tabIndex={-1}>
      <div className={styles.head}>
        <div>
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {lead && (
            <p className={styles.lead}>{typeof lead === 'string' ? <UnbrokenText>{lead}</UnbrokenText> : lead}</p>
          )}
        </div>
        {action}
      </div>
      {children}
    </main>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      {children}
    </section>
  );
}

export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}
