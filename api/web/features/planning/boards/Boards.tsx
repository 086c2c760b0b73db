import { containerOf } from '../../../app/routing/addresses/containers.js';
import type { ContainerLocation } from '../../../app/routing/addresses/containers.js';
import { NotFound } from '../../../app/problems/NotFound.js';
import { BoardIndex } from './BoardIndex.js';
import { BoardPage } from './BoardPage.js';

/** `/<project>/-/boards` and `/groups/<group>/-/boards`, and below: issues in columns, by how far they are. */
export default function Boards({ location }: { location: ContainerLocation }) {
  const of = containerOf(location);
  if (location.rest === '') return <BoardIndex of={of} />;
  return /^[1-9]\d{0,14}$/.test(location.rest) ? <BoardPage of={of} id={Number(location.rest)} /> : <NotFound />;
}
