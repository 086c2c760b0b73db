import type { ContainerLocation } from '../../../app/routing/addresses/containers.js';
import { NotFound } from '../../../app/problems/NotFound.js';
import { EpicList } from './EpicList.js';
import { EpicPage } from './EpicPage.js';
import { NewEpicPage } from './NewEpicPage.js';

/** `/groups/<group>/-/epics` and below: themes under which issues of its projects are planned. */
export default function Epics({ location: { path, rest } }: { location: ContainerLocation }) {
  if (rest === '') return <EpicList path={path} />;
  if (rest === 'new') return <NewEpicPage path={path} />;
  const [, iid, edit] = /^([1-9]\d{0,9})(\/edit)?$/.exec(rest) ?? [];
  return iid === undefined ? <NotFound /> : <EpicPage path={path} iid={Number(iid)} edit={edit !== undefined} />;
}
