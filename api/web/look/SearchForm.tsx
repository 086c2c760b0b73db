import { useSearchParams } from 'react-router';
import { Button } from './Button.js';
import { Field } from './Form.js';
import styles from './List.module.css';

/** One field that narrows a list by a part of a name, which stands in the address as `?search=`. */
export function SearchForm({ label }: { label: string }) {
  const [search, setSearch] = useSearchParams();
  const given = search.get('search') ?? '';
  return (
    <search>
      <form
        // Another address fills it anew.
        key={given}
        className={styles.filter}
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('search') ?? '').trim();
          const next = new URLSearchParams(search);
          next.delete('page');
          if (text === '') next.delete('search');
          else next.set('search', text);
          setSearch(next);
        }}
      >
        <Field label={label} name="search" type="search" autoComplete="off" defaultValue={given} maxLength={255} />
        <div className={styles.buttons}>
          <Button type="submit">Search</Button>
        </div>
      </form>
    </search>
  );
}
