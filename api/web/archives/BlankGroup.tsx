import { useNavigate } from 'react-router';
import { pageOf } from '../containers/address.js';
import { BlankForm } from './BlankForm.js';
import { useMakeGroup } from './making.js';

/** An empty group, by itself or in another. */
export function BlankGroup() {
  const navigate = useNavigate();
  const making = useMakeGroup();
  return (
    <BlankForm
      kind="group"
      making={making}
      pathHint="In its address, such as rockets."
      parentHint="Full path of the group that it lies in; empty for a group of its own."
      onMake={(attributes, parent) =>
        making.mutate(
          { ...attributes, parent },
          { onSuccess: ({ full_path: path }) => void navigate(pageOf({ kind: 'group', path })) },
        )
      }
    />
  );
}
