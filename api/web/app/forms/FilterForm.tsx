import { useId, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../ui/Button.js';
import styles from './FilterForm.module.css';

interface FilterFormProps {
  /** Whether something is filtered, which can then be cleared. */
  filtered: boolean;
  /** What stands in the address once the filter is applied; what the fields hold by default. @param params the values that are not empty */
  applied?: (params: URLSearchParams) => URLSearchParams;
  /** What stands there once it is cleared. */
  cleared?: URLSearchParams;
  /** What the button that applies it says. */
  submit?: string;
  /** For fields with few words. */
  narrow?: boolean;
  /** On narrow screens the fields are a step apart, behind a button of these words. */
  folded?: string;
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/** The values that are not empty. */
function valuesOf(form: HTMLFormElement): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text !== '') params.append(name, text);
  }
  return params;
}

/** Fields by which a list is narrowed. What they hold stands in the address. */
export function FilterForm({
  filtered,
  applied = (params) => params,
  cleared = new URLSearchParams(),
  submit = 'Filter',
  narrow = false,
  folded,
  ref,
  children,
}: FilterFormProps) {
  const [, setSearch] = useSearchParams();
  const [open, setOpen] = useState(folded === undefined);
  const id = useId();
  return (
    <search>
      {folded !== undefined && (
        <div className={styles.unfold}>
          <Button onClick={() => setOpen(!open)} aria-expanded={open} aria-controls={id}>
            {open ? 'Hide filters' : folded}
          </Button>
        </div>
      )}
      <form
        ref={ref}
        id={id}
        className={[styles.filter, narrow ? styles.narrow : '', open ? '' : styles.folded].filter(Boolean).join(' ')}
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(applied(valuesOf(event.currentTarget)));
        }}
      >
        {children}
        <div className={styles.buttons}>
          <Button type="submit">{submit}</Button>
          {filtered && (
            <Button kind="quiet" onClick={() => setSearch(cleared)}>
              Clear
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
