import { useSearchParams } from 'react-router';
import { FilterButtons } from '../look/FilterButtons.js';
import { Field } from '../look/Form.js';
import styles from '../look/List.module.css';
import { Select } from '../look/Select.js';
import { useAsked } from '../look/asked.js';
import type { AskedEvents } from './queries.js';
import { kindsOf } from './words.js';

/** By whom, about what and in which days a log is shown. It stands in the address. */
export function AuditFilter({ asked, instance }: { asked: AskedEvents; instance: boolean }) {
  const [, setSearch] = useSearchParams();
  const [held, hold] = useAsked<AskedEvents>(asked);
  const filtered = Object.values(asked).some((value) => value !== '');
  return (
    <search>
      <form
        className={styles.filter}
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(Object.fromEntries(Object.entries(held).filter(([, value]) => value.trim() !== '')));
        }}
      >
        <Field
          label="Who"
          name="author"
          placeholder="Username"
          autoComplete="off"
          maxLength={255}
          value={held.author}
          onChange={(event) => hold({ author: event.currentTarget.value })}
        />
        <Select
          label="About"
          name="kind"
          none="Everything"
          choices={kindsOf(instance)}
          value={held.kind}
          onChoose={(kind) => hold({ kind })}
        />
        <Field
          label="From day"
          name="from"
          type="date"
          value={held.from}
          onChange={(event) => hold({ from: event.currentTarget.value })}
        />
        <Field
          label="To day"
          name="to"
          type="date"
          value={held.to}
          onChange={(event) => hold({ to: event.currentTarget.value })}
        />
        <FilterButtons filtered={filtered} />
      </form>
    </search>
  );
}
