import { useSearchParams } from 'react-router';
import { FilterForm } from './FilterForm.js';
import { Field } from './Form.js';

/** One field that filters a list by a part of a name, which is stored in the address as `?search=`. */
export function SearchForm({ label }: { label: string }) {
  const [search] = useSearchParams();
  const term = search.get('search') ?? '';
  return (
    <FilterForm
      // Another address resets it.
      key={term}
      filtered={false}
      submit="Search"
      applied={(values) => {
        const next = new URLSearchParams(search);
        next.delete('page');
        next.delete('search');
        for (const [name, value] of values) next.set(name, value);
        return next;
      }}
    >
      <Field label={label} name="search" type="search" autoComplete="off" defaultValue={term} maxLength={255} />
    </FilterForm>
  );
}
