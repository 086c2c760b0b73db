import type { ReactElement } from 'react';
import { beginLoading, page } from '../../../ui/later.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { SchedulesLocation } from '../../../app/routing/addresses/pipeline-schedules.js';

const ScheduleList = page(async () => ({ default: (await import('./ScheduleList.js')).ScheduleList }));
const ForecastPage = page(async () => ({ default: (await import('./ForecastPage.js')).ForecastPage }));
const SchedulePage = page(async () => ({ default: (await import('./SchedulePage.js')).SchedulePage }));
const NewSchedule = page(async () => ({ default: (await import('./EditSchedule.js')).NewSchedule }));
const EditSchedule = page(async () => ({ default: (await import('./EditSchedule.js')).EditSchedule }));

/** `/schedules`, and the same for a group and a project; below a project one schedule, and its form. */
export default function Schedules({ location }: { location: SchedulesLocation }) {
  const page = pageOf(location);
  beginLoading(page);
  return <SignedIn>{() => page}</SignedIn>;
}

function pageOf({ of, page }: SchedulesLocation): ReactElement {
  if (page === 'list') return <ScheduleList of={of} />;
  if (page === 'forecast') return <ForecastPage of={of} />;
  if (page === 'new') return <NewSchedule path={of.path} />;
  const { schedule, edit } = page;
  return edit ? <EditSchedule path={of.path} id={schedule} /> : <SchedulePage path={of.path} id={schedule} />;
}
