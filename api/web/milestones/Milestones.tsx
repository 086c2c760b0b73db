import { containerOf } from '../containers/address.js';
import type { ContainerPlace } from '../containers/address.js';
import { NotFound } from '../not-found/NotFound.js';
import { MilestoneList } from './MilestoneList.js';
import { MilestonePage } from './MilestonePage.js';
import { NewMilestonePage } from './NewMilestonePage.js';

/** `/<project>/-/milestones` and `/groups/<group>/-/milestones`, and below: spans of time that work is planned for. */
export default function Milestones({ place }: { place: ContainerPlace }) {
  const of = containerOf(place);
  if (place.rest === '') return <MilestoneList of={of} />;
  if (place.rest === 'new') return <NewMilestonePage of={of} />;
  return /^[1-9]\d{0,9}$/.test(place.rest) ? <MilestonePage of={of} iid={Number(place.rest)} /> : <NotFound />;
}
