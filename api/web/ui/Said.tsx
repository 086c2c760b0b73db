import { useEffect, useRef } from 'react';
import styles from './Said.module.css';
import { isTyping } from './unsaved.js';

/**
 * The result of an action. The pressed button may be gone, so the message receives the focus, unless the user is typing
 * elsewhere by then: screen readers announce it too.
 */
export function Said({ children }: { children: string }) {
  const said = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (children === '') return;
    // A dialog gives the focus back in the frame after it closed, to a button that may be about to go: this comes last.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (!isTyping()) said.current?.focus();
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [children]);
  return (
    <output ref={said} tabIndex={-1} className={children === '' ? 'hidden' : styles.said}>
      {children}
    </output>
  );
}
