import { Section } from '../../../ui/Page.js';
import { Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { holds } from './contents.js';
import { ReferencePage } from './ReferencePage.js';
import { SearchField, useTyped } from './SearchField.js';

/**
 * The heading of the last column, by group: most groups show the effect of the limit, rates the setting that changes
 * it.
 */
const LAST: Readonly<Record<string, string>> = { Rates: 'Setting' };

/** `/-/api-docs/limits`: what callers of both APIs are held to. */
export default function Limits() {
  const [typed, type] = useTyped();
  return (
    <ReferencePage
      title="Limits"
      lead={
        <>
          Limits that apply to API clients. Rates are the defaults; administrators change them at{' '}
          <code>/application/settings</code>. Requests over a rate limit get a 429 response with{' '}
          <code>Retry-After</code>.
        </>
      }
    >
      {({ limits }) => (
        <>
          <SearchField label="Search limits" placeholder="Search by text" typed={typed} type={type} />
          {limits.map(({ title, rows }) => {
            const found = rows.filter(({ what, value, beyond }) => holds(`${title} ${what} ${value} ${beyond}`, typed));
            return (
              <Section key={title} title={title} aside={`${found.length} of ${rows.length}`}>
                <Table
                  caption={title}
                  rows={found}
                  keyOf={({ what, beyond }) => `${what} ${beyond}`}
                  columns={[
                    { title: 'Limit', cell: ({ what }) => <UnbrokenText>{what}</UnbrokenText> },
                    { title: 'Value', cell: ({ value }) => <UnbrokenText>{value}</UnbrokenText> },
                    {
                      title: LAST[title] ?? 'When exceeded',
                      cell: ({ beyond }) => <UnbrokenText>{beyond}</UnbrokenText>,
                    },
                  ]}
                />
              </Section>
            );
          })}
        </>
      )}
    </ReferencePage>
  );
}
