import styles from '../api-docs/ApiDocs.module.css';
import { CodeText } from '../../../ui/CodeText.js';
import { Section } from '../../../ui/Page.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { holds } from './contents.js';
import type { Deprecation } from './contents.js';
import { ReferencePage } from './ReferencePage.js';
import { SearchField, useTyped } from './SearchField.js';

/** Number of locations displayed before the list is expanded. */
const FEW = 2;

/** `/-/api-docs/deprecations`: what clients should no longer use, since when, and the release that removes it. */
export default function Deprecations() {
  const [typed, type] = useTyped();
  return (
    <ReferencePage
      title="Deprecations and removals"
      lead={
        <>
          Deprecated items stay for at least six releases and are removed in a major release. Experiments and fields
          behind a disabled feature flag can change at any time. To try GraphQL as of the next major release, add{' '}
          <code>remove_deprecated=true</code> to its URL.
        </>
      }
    >
      {({ schedule, deprecations }) => {
        const found = deprecations.filter(({ api, name, instead, usages }) =>
          holds([api, name, instead, ...usages].join(' '), typed),
        );
        return (
          <>
            <Section title="Schedule of the next six releases">
              <Table
                caption="Releases"
                rows={schedule}
                keyOf={(release) => release}
                columns={[
                  { title: 'Release', cell: (release) => release },
                  {
                    title: 'Removes',
                    cell: (release) => removedIn(deprecations.filter(({ removed }) => removed === release)),
                  },
                ]}
              />
            </Section>
            <Section title="Deprecated" aside={`${found.length} of ${deprecations.length}`}>
              <SearchField label="Search deprecations" placeholder="Search by name or text" typed={typed} type={type} />
              <DeprecationTable rows={found} />
            </Section>
          </>
        );
      }}
    </ReferencePage>
  );
}

function removedIn(rows: readonly Deprecation[]): string {
  if (rows.length === 0) return 'nothing';
  const of = (api: Deprecation['api']) => rows.filter((row) => row.api === api).length;
  return `everything below: ${of('REST')} of REST, ${of('GraphQL')} of GraphQL`;
}

function DeprecationTable({ rows }: { rows: readonly Deprecation[] }) {
  return (
    <Table
      caption="Deprecated"
      rows={rows}
      keyOf={({ api, name, instead }) => `${api} ${name} ${instead}`}
      columns={[
        { title: 'Name', cell: ({ name }) => <Name>{name}</Name> },
        { title: 'API', cell: ({ api }) => api },
        { title: 'Replacement', cell: ({ instead }) => <CodeText>{instead}</CodeText> },
        { title: 'Since', cell: ({ since }) => since, end: true },
        { title: 'Removed in', cell: ({ removed }) => removed, end: true },
        { title: 'Where', cell: ({ usages }) => <Usages usages={usages} /> },
      ]}
    />
  );
}

function Name({ children }: { children: string }) {
  return (
    <code>
      <UnbrokenText>{children}</UnbrokenText>
    </code>
  );
}

function Usages({ usages }: { usages: readonly string[] }) {
  if (usages.length <= FEW) return <UnbrokenText>{usages.join(', ') || 'there'}</UnbrokenText>;
  return (
    <details>
      <summary className={styles.more}>{usages.length} places</summary>
      <UnbrokenText>{usages.join(', ')}</UnbrokenText>
    </details>
  );
}
