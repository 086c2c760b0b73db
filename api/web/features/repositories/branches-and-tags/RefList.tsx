import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Card, Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import type { Column } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { projectQuery } from '../../../data/containers.js';
import { NewRef } from './NewRef.js';
import { getLiveQueries, useDeleteRef } from './queries.js';

interface RefListProps<T> {
  path: string;
  kind: 'branch' | 'tag';
  title: string;
  query: UseQueryResult<{ rows: T[]; next: number | null }>;
  columns: readonly Column<T>[];
  /** Whether it can be deleted by the person. */
  mayDelete: (row: T) => boolean;
  /** Whether the person makes others. */
  mayCreate: boolean;
  empty: string;
}

/** The branches or tags of a project: found by name, made and deleted. */
export function RefList<T extends { name: string }>(props: RefListProps<T>) {
  const { path, kind, title, query, columns, mayDelete, mayCreate, empty } = props;
  const [search, setSearch] = useSearchParams();
  const [target, setTarget] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  useLive(query.data ? { project: path } : null, getLiveQueries(path));
  const branch = useQuery(projectQuery(path)).data?.default_branch ?? '';
  const making = mayCreate && search.get('new') === '1';
  const close = (message: string) => {
    setSaid(message);
    setSearch({}, { replace: true });
  };
  return (
    <Page title={title} action={mayCreate && !making && <ButtonLink to="?new=1">New {kind}</ButtonLink>}>
      <Said>{said}</Said>
      {making && (
        <Card>
          <NewRef path={path} kind={kind} name={search.get('name') ?? ''} from={branch} onDone={close} />
        </Card>
      )}
      <SearchForm label={`Find a ${kind}`} />
      <RecordList
        title={title}
        query={query}
        keyOf={({ name }) => name}
        columns={[
          ...columns,
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (row) =>
              mayDelete(row) && (
                <div className={rows.actions}>
                  <Button kind="quiet" aria-label={`Delete ${row.name}`} onClick={() => setTarget(row.name)}>
                    Delete
                  </Button>
                </div>
              ),
          },
        ]}
        empty={search.get('search') ? `No matching ${kind} found.` : empty}
      />
      {target !== null && (
        <DeleteRef
          path={path}
          kind={kind}
          name={target}
          onClose={() => setTarget(null)}
          onDone={() => {
            setSaid(`${kind === 'tag' ? 'Tag' : 'Branch'} “${target}” was deleted.`);
            setTarget(null);
          }}
        />
      )}
    </Page>
  );
}

interface DeleteRefProps {
  path: string;
  kind: 'branch' | 'tag';
  name: string;
  onClose: () => void;
  onDone: () => void;
}

function DeleteRef({ path, kind, name, onClose, onDone }: DeleteRefProps) {
  const deletion = useDeleteRef(path, kind);
  return (
    <Confirm
      title={`Delete the ${kind}?`}
      does="Delete"
      danger
      busy={deletion.isPending}
      problem={deletion.error}
      onConfirm={() => deletion.mutate(name, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>
        <code>
          <UnbrokenText>{name}</UnbrokenText>
        </code>{' '}
        will be deleted from the repository. Schedules that run on it will fail.
      </p>
    </Confirm>
  );
}
