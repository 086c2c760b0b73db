import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import styles from './Button.module.css';

type Kind = 'primary' | 'plain' | 'danger' | 'quiet';

const classes = (kind: Kind, wide: boolean) =>
  [styles.button, styles[kind], wide ? styles.wide : ''].filter(Boolean).join(' ');

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'disabled'> {
  kind?: Kind;
  wide?: boolean;
  /** The action is in progress: the button shows it, retains the focus, and ignores further clicks. */
  busy?: boolean;
}

export function Button({ kind = 'plain', wide = false, busy = false, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classes(kind, wide)}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** A link that looks like a button, for what leads to another page. */
export function ButtonLink({
  kind = 'plain',
  ...rest
}: Omit<ComponentProps<typeof Link>, 'className'> & { kind?: Kind }) {
  return <Link {...rest} className={classes(kind, false)} />;
}
