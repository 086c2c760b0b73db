import { containerOf } from '../../../app/routing/addresses/containers.js';
import type { ContainerLocation } from '../../../app/routing/addresses/containers.js';
import { NotFound } from '../../../app/problems/NotFound.js';
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
