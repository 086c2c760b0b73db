import { useSearchParams } from 'react-router';
import { Button } from '../look/Button.js';
import { Field } from '../look/Form.js';
import styles from '../look/List.module.css';
import { Select } from '../look/Select.js';
import { useAsked } from '../pipeline-schedules/following.js';
import { ENTITIES } from './queries.js';
import type { AskedEvents } from './queries.js';

interface AuditFilterProps {
  asked: AskedEvents;
  /** Whether it is the log of the instance, which tells of several kinds. */
  wide: boolean;
}

/** In which days, and about what, an audit log is shown. It stands in the address. */
export function AuditFilter({ asked: { entity, from, to }, wide }: AuditFilterProps) {
  const [, setSearch] = useSearchParams();
  const [held, hold] = useAsked<Record<'of' | 'from' | 'to', string>>({ of: entity, from, to });
  return (
    <search>
      <form
        className={styles.filter}
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(Object.fromEntries(Object.entries(held).filter(([, value]) => value !== '')));
        }}
      >
        {wide && (
          <Select
            label="About"
            name="of"
            none="All"
            choices={Object.entries(ENTITIES).map(([value, words]) => ({ value, words }))}
            value={held.of}
            onChoose={(value) => hold({ of: value })}
          />
        )}
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
        <div className={styles.buttons}>
          <Button type="submit">Filter</Button>
          {entity + from + to !== '' && (
            <Button kind="quiet" onClick={() => setSearch({})}>
              Clear
            </Button>
          )}
        </div>
      </form>
    </search>
  );
}
