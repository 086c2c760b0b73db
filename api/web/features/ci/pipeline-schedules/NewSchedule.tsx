import { schedulesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { mayCreateQuery } from './queries.js';
import styles from './Schedule.module.css';
import { ScheduleForm } from './ScheduleForm.js';

/** `/<project>/-/pipeline_schedules/new`: the form of another schedule. */
export default function NewSchedule({ path }: { path: string }) {
  const may = useQuery(mayCreateQuery(path)).data ?? true;
  return (
    <Page title="New schedule" lead={<UnbrokenText>{path}</UnbrokenText>}>
      {may ? (
        <ScheduleForm path={path} schedule={null} onReload={() => undefined} />
      ) : (
        <>
          <p>
            You need at least the Developer role to create schedules. The project can't be archived, and pipelines must
            be turned on.
          </p>
          <div className={styles.actions}>
            <ButtonLink to={schedulesPath({ kind: 'project', path })}>Back to schedules</ButtonLink>
          </div>
        </>
      )}
    </Page>
  );
}
