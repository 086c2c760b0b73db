import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Field } from '../../../app/forms/Form.js';
import { useDebounced } from '../../../ui/use-debounced.js';
import { refsQuery } from './queries.js';

interface OfferedRef {
  name: string;
  tag: boolean;
}

/** Branches and tags that match the typed text, and the default branch for a new schedule. */
export function useRefs(
  path: string,
  typed: string | null,
): { offered: readonly OfferedRef[]; initial: string; none: boolean } {
  const search = useDebounced(typed ?? '');
  const first = useQuery(refsQuery(path, ''));
  const found = useQuery({ ...refsQuery(path, search), placeholderData: keepPreviousData });
  const branches = (first.data ?? []).filter(({ tag }) => !tag);
  const initial = branches.find(({ standard }) => standard) ?? branches[0];
  return { offered: found.data ?? [], initial: initial?.name ?? '', none: first.data?.length === 0 };
}

interface RefFieldProps {
  label?: string;
  name?: string;
  hint?: string | undefined;
  refs: readonly OfferedRef[];
  value: string;
  problem: string | null;
  onChange: (ref: string) => void;
}

/** A field for a branch or tag, with suggestions while the user types. */
export function RefField({
  label = 'Branch or tag',
  name: field = 'ref',
  hint,
  refs,
  value,
  problem,
  onChange,
}: RefFieldProps) {
  const id = useId();
  return (
    <>
      <Field
        label={label}
        name={field}
        hint={hint}
        value={value}
        problem={problem}
        list={id}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {refs.map(({ name, tag }) => (
          <option key={`${tag} ${name}`} value={name}>
            {tag ? `tag ${name}` : name}
          </option>
        ))}
      </datalist>
    </>
  );
}
