import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { ButtonLink } from '../../ui/Button.js';
import { Card, Section } from '../../ui/Page.js';
import { pageIn } from '../routing/list-address.js';
import { Said } from '../../ui/Said.js';
import { RecordList } from '../lists/RecordList.js';
import { actionsColumn } from '../lists/row-cells.js';
import type { RowAction } from '../lists/row-cells.js';
import type { Column } from '../../ui/Table.js';
import styles from './SettingsSection.module.css';

/** The page of a list, in the address as `?deploy_keys=2`. */
export function usePage(list: string): number {
  const [search] = useSearchParams();
  return pageIn(search, list);
}

/** Closes the form that is open, and stays where the lists are. */
function useCloseForm(): () => void {
  const [search, setSearch] = useSearchParams();
  return () => {
    const rest = new URLSearchParams(search);
    rest.delete('new');
    setSearch(rest, { replace: true });
  };
}

/** What a form for a new record calls once it is done. */
export interface FormDone {
  /** Closes the form, and displays the message. */
  onCreate: (message: string) => void;
  onCancel: () => void;
}

interface SettingsSectionProps<T> {
  /** In the address: `?new=deploy_keys` shows the form, `?deploy_keys=2` the second page. */
  list: string;
  title: string;
  lead: ReactNode;
  /** The label of the link to the form: "New deploy key". */
  add: string;
  /** The form for a new record; null without permission. */
  form: ((done: FormDone) => ReactNode) | null;
  /** Above the rows. */
  above?: ReactNode;
  query: UseQueryResult<{ rows: T[]; next: number | null }>;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string | number;
  /** The name of a row, for the labels of its actions. */
  nameOf: (row: T) => string;
  actions: readonly RowAction<T>[];
  empty: string;
}

/** A list of records of the settings, a page at a time, with the form for another one and dialogs for each row. */
export function SettingsSection<T>(props: SettingsSectionProps<T>) {
  const { list, title, lead, add, form, above, query, columns, keyOf, nameOf, actions, empty } = props;
  const [search] = useSearchParams();
  const [said, setSaid] = useState('');
  const [dialog, setDialog] = useState<{ row: T; action: RowAction<T> } | null>(null);
  const closeForm = useCloseForm();
  const adding = form !== null && search.get('new') === list;
  const isEmpty = query.data?.rows.length === 0;
  const opener = useRef<HTMLSpanElement>(null);
  const was = useRef(adding);
  useEffect(() => {
    // After the form is closed, focus returns to the button that opened it.
    if (was.current && !adding && document.activeElement === document.body) opener.current?.querySelector('a')?.focus();
    was.current = adding;
  }, [adding]);
  const close = () => setDialog(null);
  const onDone = (message: string) => {
    setSaid(message);
    close();
  };
  const onCreate = (message: string) => {
    setSaid(message);
    closeForm();
  };
  const opened = `?${new URLSearchParams({ ...Object.fromEntries(search), new: list })}`;
  const opening = (
    <span ref={opener}>
      <ButtonLink to={opened}>{add}</ButtonLink>
    </span>
  );
  const acting = actionsColumn(actions, nameOf, (row, action) => setDialog({ row, action }));
  return (
    <>
      <Section title={title} aside={form !== null && !adding && !query.isPending && !isEmpty && opening}>
        <div className={styles.lead}>{lead}</div>
        <Said>{said}</Said>
        {above}
        {adding && (
          <Card>
            <h3>{add}</h3>
            {form({ onCreate, onCancel: closeForm })}
          </Card>
        )}
        {/* With its form open, an empty list needs no explanation. */}
        {!(adding && isEmpty) && (
          <RecordList
            title={title}
            param={list}
            query={query}
            keyOf={keyOf}
            columns={actions.length > 0 ? [...columns, acting] : columns}
            empty={empty}
            action={form !== null && opening}
          />
        )}
      </Section>
      {dialog?.action.dialog(dialog.row, { onClose: close, onDone })}
    </>
  );
}
