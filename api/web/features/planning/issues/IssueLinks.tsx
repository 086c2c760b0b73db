import { issueReferencePath } from './reference.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { LinkedIssue } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { AddLink, LINK_LABELS } from './AddLink.js';
import { useRemoveLink } from './changes.js';
import styles from './IssuePage.module.css';
import { linksQuery } from './queries.js';

interface IssueLinksProps {
  path: string;
  iid: number;
  mayLink: boolean;
}

/** The issues that an issue is linked with, in the order in which they were linked. */
export function IssueLinks({ path, iid, mayLink }: IssueLinksProps) {
  const links = useQuery(linksQuery(path, iid));
  const removal = useRemoveLink(path, iid);
  const [said, setSaid] = useState('');
  const remove = (link: LinkedIssue) =>
    removal.mutate(link, { onSuccess: () => setSaid(`Link to ${link.references.relative} removed.`) });
  const actions: Column<LinkedIssue>[] = [
    {
      title: 'Actions',
      actions: true,
      end: true,
      cell: (link) => (
        <div className={styles.remove}>
          <Button
            kind="quiet"
            busy={removal.isPending}
            aria-label={`Remove link to ${link.references.relative}`}
            onClick={() => remove(link)}
          >
            Remove
          </Button>
        </div>
      ),
    },
  ];
  return (
    <Section title="Linked issues">
      <Said>{said}</Said>
      {removal.error && <Problem error={removal.error} />}
      {links.error && <Problem error={links.error} retry={() => void links.refetch()} />}
      {links.isPending && <LoadingRows label="Loading links" />}
      {links.data?.length === 0 && <Empty>No linked issues. Link issues that relate to this one or block it.</Empty>}
      {links.data && links.data.length > 0 && (
        <Table
          caption="Linked issues"
          rows={links.data}
          keyOf={({ issue_link_id: id }) => id}
          columns={[...COLUMNS, ...(mayLink ? actions : [])]}
        />
      )}
      {mayLink && <AddLink path={path} iid={iid} onDone={setSaid} />}
    </Section>
  );
}

const COLUMNS: readonly Column<LinkedIssue>[] = [
  {
    title: 'Issue',
    cell: ({ title, references }) => (
      <Link to={issueReferencePath(references.full)}>
        <UnbrokenText>{`${references.relative} ${title}`}</UnbrokenText>
      </Link>
    ),
  },
  { title: 'Relation', cell: ({ link_type: type }) => LINK_LABELS[type] },
  {
    title: 'State',
    cell: ({ state }) => (state === 'opened' ? <State tone="good">open</State> : <State tone="quiet">closed</State>),
  },
];
