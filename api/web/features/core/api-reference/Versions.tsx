import { Link } from 'react-router';
import { Card, Section } from '../../../ui/Page.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { holds } from './contents.js';
import { ReferencePage } from './ReferencePage.js';
import { SearchField, useTyped } from './SearchField.js';

const PLANS = { free: 'Free', premium: 'Premium', ultimate: 'Ultimate' } as const;

/** `/-/api-docs/versions`: how the APIs are versioned, and what needs which plan (graphql.md section 8). */
export default function Versions() {
  const [typed, type] = useTyped();
  return (
    <ReferencePage title="Versions and plans" lead="Version guarantees for clients, and the features of each plan.">
      {({ plans }) => {
        const found = plans.filter(({ area, method, path, summary, plan, offerings }) =>
          holds([area, method, path, summary, plan, ...offerings].join(' '), typed),
        );
        return (
          <>
            <Section title="Versions">
              <Rules />
            </Section>
            <Section title="Operations by plan and offering" aside={`${found.length} of ${plans.length} operations`}>
              <p>
                All other operations are available on every plan and offering. Without the required plan, an operation
                returns 403 (DORA metrics: 401); without the offering, 404.
              </p>
              <SearchField
                label="Search operations"
                placeholder="Search by area, path or plan"
                typed={typed}
                type={type}
              />
              <Table
                caption="Operations"
                rows={found}
                keyOf={({ method, path }) => `${method} ${path}`}
                columns={[
                  { title: 'Operation', cell: ({ summary }) => <UnbrokenText>{summary}</UnbrokenText> },
                  { title: 'Path', cell: ({ method, path }) => <Path method={method} path={path} /> },
                  { title: 'Plan', cell: ({ plan }) => PLANS[plan] },
                  { title: 'Offering', cell: ({ offerings }) => offerings.join(', ') || 'all' },
                ]}
              />
            </Section>
          </>
        );
      }}
    </ReferencePage>
  );
}

function Path({ method, path }: { method: string; path: string }) {
  return (
    <code>
      {method} <UnbrokenText>{path}</UnbrokenText>
    </code>
  );
}

function Rules() {
  return (
    <Card>
      <p>
        The REST API version is part of its path, <code>/api/v4</code>. It changes only with breaking changes, in a
        major release. New features are added to version 4.
      </p>
      <p>
        GraphQL has no versions. Fields are deprecated for at least six releases before removal:{' '}
        <Link to="/-/api-docs/deprecations">deprecations and removals</Link>.
      </p>
      <p>
        Experimental and beta features, and fields behind a disabled feature flag, can be removed without notice. A
        critical security or performance fix can be a breaking change.
      </p>
      <p>
        If an instance moves to a lower plan, features of the higher plan are rejected or hidden. Their data is kept and
        comes back with the higher plan.
      </p>
    </Card>
  );
}
