import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Button } from '../look/Button.js';
import { Field } from '../look/Form.js';
import { Section } from '../look/Page.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows, Table } from '../look/Table.js';
import type { SchedulesOf } from './address.js';
import { FiringTable } from './FiringTable.js';
import { firingQuery, forecastQuery } from './forecast-queries.js';
import type { Down, Forecast } from './forecast-queries.js';
import styles from './Forecast.module.css';
import { MISSED_POLICIES } from './words.js';
import type { MissedPolicy } from './words.js';

/** An instant as a field for date and time holds it, on the viewer's clock. */
function fieldOf(at: string | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const instantOf = (field: FormDataEntryValue | null): string | null => {
  const at = new Date(String(field));
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

/** What if the service is down from … to …: which schedules catch up, and which are skipped. */
export function Outage({ of, down }: { of: SchedulesOf; down: Down | null }) {
  const [search, setSearch] = useSearchParams();
  return (
    <Section title="What if the service is down?">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const values = new FormData(event.currentTarget);
          const [from, to] = [instantOf(values.get('down_from')), instantOf(values.get('down_to'))];
          const params = new URLSearchParams(search);
          if (from && to)
            for (const [name, value] of Object.entries({ down_from: from, down_to: to })) params.set(name, value);
          setSearch(params, { preventScrollReset: true });
        }}
      >
        <Field label="From" name="down_from" type="datetime-local" required defaultValue={fieldOf(down?.from)} />
        <Field label="To" name="down_to" type="datetime-local" required defaultValue={fieldOf(down?.to)} />
        <Button type="submit">Tell</Button>
      </form>
      {down && <Told of={of} down={down} />}
    </Section>
  );
}

const POLICIES = Object.keys(MISSED_POLICIES) as MissedPolicy[];

type ByPolicy = NonNullable<Forecast['outage']>['by_policy'];

function Told({ of, down }: { of: SchedulesOf; down: Down }) {
  const told = useQuery(forecastQuery(of, down));
  const firing = useInfiniteQuery(firingQuery(of, down));
  const rows = firing.data?.pages.flatMap((page) => page.rows) ?? [];
  if (told.error) return <Problem error={told.error} retry={() => void told.refetch()} />;
  if (!told.data?.outage) return <LoadingRows label="Loading what would become of it" />;
  return (
    <>
      <Policies counts={told.data.outage.by_policy} />
      {rows.length > 0 && <FiringTable caption="Schedules that would be due meanwhile" rows={rows} outage />}
      {firing.hasNextPage && (
        <div>
          <Button busy={firing.isFetchingNextPage} onClick={() => void firing.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

function Policies({ counts }: { counts: ByPolicy }) {
  const number = (name: keyof ByPolicy['last']) => (policy: MissedPolicy) => counts[policy][name].toLocaleString('en');
  return (
    <Table
      caption="What would become of missed runs, by policy"
      rows={POLICIES}
      keyOf={(policy) => policy}
      columns={[
        { title: 'Policy', cell: (policy) => MISSED_POLICIES[policy] },
        { title: 'Schedules', end: true, cell: number('schedules') },
        { title: 'Due meanwhile', end: true, cell: number('due') },
        { title: 'Fire after', end: true, cell: number('fires') },
        { title: 'Missed', end: true, cell: number('missed') },
      ]}
    />
  );
}
