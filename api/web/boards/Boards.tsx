import { containerOf } from '../containers/address.js';
import type { ContainerPlace } from '../containers/address.js';
import { NotFound } from '../not-found/NotFound.js';
import { BoardIndex } from './BoardIndex.js';
import { BoardPage } from './BoardPage.js';

/** `/<project>/-/boards` and `/groups/<group>/-/boards`, and below: issues in columns, by how far they are. */
export default function Boards({ place }: { place: ContainerPlace }) {
  const of = containerOf(place);
  if (place.rest === '') return <BoardIndex of={of} />;
  return /^[1-9]\d{0,14}$/.test(place.rest) ? <BoardPage of={of} id={Number(place.rest)} /> : <NotFound />;
}
