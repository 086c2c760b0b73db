import { useEffect, useRef, useState } from 'react';

/** Opens below the button, and closes with Escape, and with the focus or a click elsewhere. */
export function useDisclosure() {
  const [open, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !container.current?.contains(target)) setOpen(false);
    };
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      container.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', press);
    };
  }, [open]);
  return { open, toggle: () => setOpen(!open), close: () => setOpen(false), container };
}
