import { useId, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../ui/Button.js';
import styles from './FilterForm.module.css';

interface FilterFormProps {
  /** Whether something is filtered, which can then be cleared. */
  filtered: boolean;
  /**
   * The address once the filter is applied; by default, built from the fields. @param params the values that are not
   * empty
   */
  applied?: (params: URLSearchParams) => URLSearchParams;
  /** The address once it is cleared. */
  cleared?: URLSearchParams;
  /** The label of the apply button. */
  submit?: string;
  /** For short fields. */
  narrow?: boolean;
  /** On narrow screens the fields are collapsed behind a button with this label. */
  folded?: string;
  ref?: Ref<HTMLFormElement>;
  children: ReactNode;
}

/** The values that are not empty. */
function getValues(form: HTMLFormElement): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const text = String(value).trim();
    if (text !== '') params.append(name, text);
  }
  return params;
}

/** Fields that filter a list. Their values are stored in the address. */
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
          setSearch(applied(getValues(event.currentTarget)));
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
