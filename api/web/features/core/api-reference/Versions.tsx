import { Link } from 'react-router';
import { Card, Section } from '../../../ui/Page.js';
import { Table } from '../../../ui/Table.js';
import { Whole } from '../../../ui/Whole.js';
import { holds } from './contents.js';
import { ReferencePage } from './ReferencePage.js';
import { SearchField, useTyped } from './SearchField.js';

const PLANS = { free: 'Free', premium: 'Premium', ultimate: 'Ultimate' } as const;

/** `/-/api-docs/versions`: how the APIs are versioned, and what needs which plan (graphql.md section 8). */
export default function Versions() {
  const [typed, type] = useTyped();
  return (
    <ReferencePage title="Versions and plans" lead="What clients may rely on, and what not every instance offers.">
      {({ plans }) => {
        const found = plans.filter(({ area, method, path, summary, plan, offerings }) =>
          holds([area, method, path, summary, plan, ...offerings].join(' '), typed),
        );
        return (
          <>
            <Section title="Versions">
              <Rules />
            </Section>
            <Section title="What needs a plan or an offering" aside={`${found.length} of ${plans.length} operations`}>
              <p>
                Everything else is there on every plan and offering. A plan that lacks an operation answers 403, DORA
                metrics 401; an offering that lacks it 404.
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
                  { title: 'Operation', cell: ({ summary }) => <Whole>{summary}</Whole> },
                  { title: 'Path', cell: ({ method, path }) => <Path method={method} path={path} /> },
                  { title: 'Plan', cell: ({ plan }) => PLANS[plan] },
                  { title: 'Offered on', cell: ({ offerings }) => offerings.join(', ') || 'all' },
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
      {method} <Whole>{path}</Whole>
    </code>
  );
}

function Rules() {
  return (
    <Card>
      <p>
        The version of REST stands in its path, <code>/api/v4</code>. Only a change that breaks clients would change it,
        together with a major release of the service; new features are added within version 4.
      </p>
      <p>
        GraphQL has no versions. What goes is deprecated first, and stays for six releases:{' '}
        <Link to="/-/api-docs/deprecations">deprecations and removals</Link>.
      </p>
      <p>
        What is labelled experimental or beta, and fields behind a switch that is off, may go without notice. A critical
        fix of security or speed may break something at once.
      </p>
      <p>
        Lowering the plan of an instance takes away what only the higher one has: it is refused or hidden, and what was
        stored is kept until the plan is raised again.
      </p>
    </Card>
  );
}
