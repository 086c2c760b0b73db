import { useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { FilterForm } from './FilterForm.js';
import { Field } from './Form.js';
import { orderParams } from '../routing/list-address.js';
import { Select } from '../../ui/Select.js';

/** A field by which a list is narrowed: a parameter of the address. */
export interface FilterField {
  name: string;
  label: string;
  /** A hint on special values of the field, as defined by the API. */
  hint?: string;
  type?: 'search' | 'text';
  /** Suggestions while the user types. */
  titles?: readonly { title: string }[] | undefined;
}

interface CurrentList {
  filter: Readonly<Record<string, string | undefined>>;
  state: string;
  order: string;
}

interface ListFilterProps {
  fields: readonly FilterField[];
  /** By what they are called. */
  orders: Readonly<Record<string, string>>;
  params: CurrentList;
}

/** The address of the filtered list: its first page. */
function readSearch(search: URLSearchParams, fields: readonly FilterField[], params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('page');
  for (const { name } of fields) {
    const value = params.get(name);
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  for (const [name, value] of Object.entries(orderParams(String(params.get('order'))))) next.set(name, value);
  return next;
}

/** The fields that filter and order a list. Their values are stored in the address. */
export function ListFilter({ fields, orders, params: { filter, state, order: current } }: ListFilterProps) {
  const [search] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  // Fields retain the typed text until it is submitted; another address resets them, and the focus stays.
  const filterJson = JSON.stringify(filter);
  const address = search.toString();
  const [chosen, choose] = useState({ address, order: current });
  const order = chosen.address === address ? chosen.order : current;
  const names = fields.map(({ name }) => name).join(' ');
  useEffect(() => {
    const held = JSON.parse(filterJson) as CurrentList['filter'];
    for (const name of names.split(' ')) {
      const field = form.current?.elements.namedItem(name) as HTMLInputElement;
      field.value = held[name] ?? '';
    }
  }, [filterJson, names]);
  const narrowed = Object.keys(filter).length > 0;
  return (
    <FilterForm
      ref={form}
      folded={narrowed ? 'Filters (in use)' : 'Filter and order'}
      filtered={narrowed}
      cleared={new URLSearchParams({ state })}
      applied={(values) => {
        const next = readSearch(search, fields, values);
        choose({ address: next.toString(), order });
        return next;
      }}
    >
      {fields.map(({ name, label, hint, type = 'text', titles }) => (
        <Field
          key={name}
          label={label}
          name={name}
          hint={hint}
          type={type}
          list={titles && `${id}-${name}`}
          autoComplete="off"
          maxLength={255}
        />
      ))}
      {fields.map(({ name, titles }) => titles && <Titles key={name} id={`${id}-${name}`} titles={titles} />)}
      <Select
        label="Order"
        name="order"
        choices={Object.entries(orders).map(([value, label]) => ({ value, label }))}
        value={order}
        onChoose={(value) => choose({ address, order: value })}
      />
    </FilterForm>
  );
}

/** The suggestions of a field while the user types. */
function Titles({ id, titles }: { id: string; titles: readonly { title: string }[] }) {
  return (
    <datalist id={id}>
      {titles.map(({ title }) => (
        <option key={title} value={title}>
          {title}
        </option>
      ))}
    </datalist>
  );
}

/** Filters that all lists of planning records share: text, labels and author. */
export const planningFilters = (labels: readonly { title: string }[] | undefined): FilterField[] => [
  { name: 'search', label: 'Search title or description', type: 'search' },
  { name: 'labels', label: 'Labels', hint: 'All of these, by commas; None, Any', titles: labels ?? [] },
  { name: 'author_username', label: 'Author', hint: 'User name' },
];
