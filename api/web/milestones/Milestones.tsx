import { containerOf } from '../containers/address.js';
import type { ContainerLocation } from '../containers/address.js';
import { NotFound } from '../not-found/NotFound.js';
import { MilestoneList } from './MilestoneList.js';
import { MilestonePage } from './MilestonePage.js';
import { NewMilestonePage } from './NewMilestonePage.js';

/** `/<project>/-/milestones` and `/groups/<group>/-/milestones`, and below: spans of time that work is planned for. */
export default function Milestones({ location }: { location: ContainerLocation }) {
  const of = containerOf(location);
  if (location.rest === '') return <MilestoneList of={of} />;
  if (location.rest === 'new') return <NewMilestonePage of={of} />;
  return /^[1-9]\d{0,9}$/.test(location.rest) ? <MilestonePage of={of} iid={Number(location.rest)} /> : <NotFound />;
}
