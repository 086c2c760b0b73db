import type { Container } from '../../../data/containers.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { useRemoveMember } from './queries.js';
import type { Member } from './queries.js';

interface RemoveMemberProps {
  container: Container;
  member: Member;
  /** The member is the current user. */
  leaves: boolean;
  onClose: () => void;
  onDone: (said: string) => void;
}

/** Asks for confirmation before a member is removed or leaves. */
export function RemoveMember({ container, member, leaves, onClose, onDone }: RemoveMemberProps) {
  const removal = useRemoveMember(container);
  return (
    <Confirm
      title={leaves ? `Leave this ${container.kind}?` : `Remove ${member.name}?`}
      does={leaves ? 'Leave' : 'Remove'}
      danger
      busy={removal.isPending}
      problem={removal.error}
      onConfirm={() =>
        removal.mutate(member.id, {
          onSuccess: () => onDone(leaves ? 'You left.' : `${member.name} was removed.`),
        })
      }
      onClose={onClose}
    >
      <p>
        {leaves ? 'You lose' : `${member.name} loses`} the access granted by this role. Schedules they own will fail
        until someone takes ownership.
      </p>
    </Confirm>
  );
}
