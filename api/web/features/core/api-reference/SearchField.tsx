import { useState } from 'react';
import { useSearchParams } from 'react-router';
import styles from '../api-docs/ApiDocs.module.css';

/** The search text: displayed at once, while the address follows as `?search=`. */
export function useTyped(): [typed: string, type: (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState(search.get('search') ?? '');
  const type = (value: string) => {
    setTyped(value);
    const next = new URLSearchParams(search);
    if (value === '') next.delete('search');
    else next.set('search', value);
    setSearch(next, { replace: true });
  };
  return [typed, type];
}

interface SearchFieldProps {
  label: string;
  placeholder: string;
  typed: string;
  type: (value: string) => void;
}

export function SearchField({ label, placeholder, typed, type }: SearchFieldProps) {
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
