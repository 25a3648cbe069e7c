/**
 * Mantine's theme: every part of it that the console uses, with our class names and without its own look. A part that a
 * desk adds gets its row here and its rules in mantine.css. `lockScroll` stays off, because the lock writes a style
 * element, which the policy of the service refuses. Parts are named, not imported: the first load holds what its pages use.
 */
import { createTheme } from '@mantine/core';

const field = {
  classNames: {
    root: 'fld',
    wrapper: 'fld-wrap',
    section: 'fld-section',
    label: 'fld-label',
    input: 'fld-input',
    description: 'hint',
    error: 'fld-error',
  },
} as const;

const ticked = {
  classNames: {
    body: 'check',
    input: 'check-input',
    icon: 'check-icon',
    labelWrapper: 'switch-words',
    label: 'check-label',
    description: 'hint',
  },
} as const;

const overlay = { lockScroll: false, withinPortal: true, transitionProps: { duration: 0 } } as const;
const modal = { classNames: { overlay: 'veil', inner: 'over' }, defaultProps: overlay } as const;
const drawer = {
  classNames: { overlay: 'veil', inner: 'over over-right' },
  defaultProps: { ...overlay, position: 'right' },
} as const;

export const theme = createTheme({
  primaryColor: 'dark',
  autoContrast: true,
  defaultRadius: 7,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    TextInput: field,
    PasswordInput: field,
    Textarea: field,
    Select: {
      classNames: {
        ...field.classNames,
        wrapper: 'choice',
        section: 'choice-mark',
        dropdown: 'pop',
        option: 'pop-item',
        empty: 'pop-label',
      },
      defaultProps: { withCheckIcon: false },
    },
    Checkbox: ticked,
    Radio: ticked,
    Switch: {
      classNames: {
        root: 'switch',
        body: 'switch-body',
        input: 'switch-input',
        track: 'switch-track',
        thumb: 'switch-thumb',
        labelWrapper: 'switch-words',
        label: 'switch-label',
        description: 'hint',
      },
    },
    SegmentedControl: {
      classNames: {
        root: 'seg',
        control: 'seg-control',
        input: 'seg-input',
        label: 'seg-label',
        indicator: 'seg-indicator',
      },
    },
    Menu: {
      classNames: {
        dropdown: 'pop',
        item: 'pop-item',
        itemLabel: 'pop-text',
        label: 'pop-label',
        divider: 'pop-line',
      },
      defaultProps: { transitionProps: { duration: 0 }, shadow: 'none', withInitialFocusPlaceholder: false },
    },
    Tooltip: {
      classNames: { tooltip: 'tip' },
      defaultProps: { openDelay: 350, transitionProps: { duration: 0 } },
    },
    Modal: modal,
    ModalRoot: modal,
    Drawer: drawer,
    DrawerRoot: drawer,
  },
});
