import type { ScheduleScope } from '../../../app/routing/paths.js';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Field } from '../../../app/forms/Form.js';
import { serverNow } from '../../../ui/now.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { FiringTable } from './FiringTable.js';
import { firingQuery, forecastQuery } from './forecast-queries.js';
import type { Down, Forecast } from './forecast-queries.js';
import styles from './Forecast.module.css';
import { MISSED_POLICIES, formatScheduleCount } from './labels.js';
import type { MissedPolicy } from './labels.js';

const HOUR_MS = 3_600_000;
const LONGEST_MS = 7 * 24 * HOUR_MS;

/** An instant as a field for date and time holds it, on the viewer's clock. */
function getField(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const getInstant = (field: FormDataEntryValue | null): string | null => {
  const at = new Date(String(field));
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

/** The error in the end of an outage, or null. */
function endProblem(from: string | null, to: string | null): string | null {
  if (!from || !to) return 'Enter both times.';
  const length = Date.parse(to) - Date.parse(from);
  if (length <= 0) return 'Must be after “From”.';
  return length > LONGEST_MS ? 'Must be within seven days of “From”.' : null;
}

/** What if the service is down from … to …: which schedules catch up, and which are skipped. */
export function Outage({ of, down }: { of: ScheduleScope; down: Down | null }) {
  const [search, setSearch] = useSearchParams();
  const [problem, setProblem] = useState<string | null>(null);
  // An example to begin with: the two hours after this one, by the service's clock.
  const [next] = useState(() => Math.ceil(serverNow() / HOUR_MS) * HOUR_MS);
  return (
    <Section title="What if the service is down?">
      <form
        key={`${down?.from} ${down?.to}`}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const values = new FormData(event.currentTarget);
          const [from, to] = [getInstant(values.get('down_from')), getInstant(values.get('down_to'))];
          const wrong = endProblem(from, to);
          setProblem(wrong);
          if (wrong !== null || !from || !to) return;
          const params = new URLSearchParams(search);
          for (const [name, value] of Object.entries({ down_from: from, down_to: to })) params.set(name, value);
          setSearch(params);
        }}
      >
        <Field
          label="From"
          name="down_from"
          type="datetime-local"
          defaultValue={getField(down ? Date.parse(down.from) : next)}
        />
        <Field
          label="To"
          name="down_to"
          type="datetime-local"
          defaultValue={getField(down ? Date.parse(down.to) : next + 2 * HOUR_MS)}
          problem={problem}
        />
        <Button type="submit">Show impact</Button>
      </form>
      {down && <OutageForecast of={of} down={down} />}
    </Section>
  );
}

const POLICIES = Object.keys(MISSED_POLICIES) as MissedPolicy[];

type ByPolicy = NonNullable<Forecast['outage']>['by_policy'];

const POLICY = 'down_policy';

function OutageForecast({ of, down }: { of: ScheduleScope; down: Down }) {
  const [search, setSearch] = useSearchParams();
  const policy = POLICIES.find((name) => name === search.get(POLICY));
  const forecast = useQuery(forecastQuery(of, down));
  const firing = useInfiniteQuery(firingQuery(of, { ...down, ...(policy ? { policy } : {}) }));
  const rows = firing.data?.pages.flatMap((page) => page.rows) ?? [];
  if (forecast.error) return <Problem error={forecast.error} retry={() => void forecast.refetch()} />;
  if (!forecast.data?.outage) return <LoadingRows label="Loading impact" />;
  const choose = (value: string) => {
    const params = new URLSearchParams(search);
    if (value === '') params.delete(POLICY);
    else params.set(POLICY, value);
    setSearch(params);
  };
  const counts = forecast.data.outage.by_policy;
  return (
    <>
      <p>{formatSummary(counts)}</p>
      <Policies counts={counts} />
      {getSum(counts, 'schedules') > 0 && (
        <Select
          label="Policy"
          name={POLICY}
          none="All policies"
          choices={POLICIES.map((value) => ({ value, label: MISSED_POLICIES[value] }))}
          value={policy ?? ''}
          onChoose={choose}
        />
      )}
      {firing.error && <Problem error={firing.error} retry={() => void firing.refetch()} />}
      {firing.isPending && <LoadingRows label="Loading schedules" />}
      {firing.data && rows.length === 0 && policy && (
        <p className={styles.quiet}>No schedules with this policy are affected.</p>
      )}
      {rows.length > 0 && <FiringTable caption="Affected schedules" rows={rows} outage />}
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

const getSum = (counts: ByPolicy, name: keyof ByPolicy['last']): number =>
  POLICIES.reduce((sum, policy) => sum + counts[policy][name], 0);

const runs = (count: number) => (count === 1 ? '1 run' : `${count.toLocaleString('en')} runs`);

/** What would become of all of them, in a sentence. */
function formatSummary(counts: ByPolicy): string {
  const due = getSum(counts, 'due');
  if (due === 0) return 'No schedules are affected.';
  const schedules = formatScheduleCount(getSum(counts, 'schedules'));
  return `${schedules} affected, with ${runs(due)}: ${runs(getSum(counts, 'fires'))} would start after recovery, and ${runs(getSum(counts, 'missed'))} would be recorded as missed.`;
}

function Policies({ counts }: { counts: ByPolicy }) {
  const number = (name: keyof ByPolicy['last']) => (policy: MissedPolicy) => counts[policy][name].toLocaleString('en');
  return (
    <Table
      caption="Missed runs by policy"
      rows={POLICIES}
      keyOf={(policy) => policy}
      columns={[
        { title: 'Policy', cell: (policy) => MISSED_POLICIES[policy] },
        { title: 'Schedules', end: true, cell: number('schedules') },
        { title: 'Scheduled runs', end: true, cell: number('due') },
        { title: 'Start after recovery', end: true, cell: number('fires') },
        { title: 'Missed', end: true, cell: number('missed') },
      ]}
    />
  );
}
