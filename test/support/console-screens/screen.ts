/** A screen of the console: where it is, in whose chair, and how one arrives at its state. */
import type { Page } from 'playwright-core';
import type { DemoRole } from '../console-suite.ts';
import type { ConsoleWorld } from '../console-world.ts';

export interface Screen {
  readonly path: string;
  readonly as?: DemoRole;
  /** Made once before the screen is opened at any width, such as an application that waits. Gives the path to open, where it depends on what was made. */
  readonly prepare?: (world: ConsoleWorld) => Promise<string | undefined>;
  /** What must be seen before the screen is there. */
  readonly seen: string;
  /** What somebody does then to bring about the state that is meant. */
  readonly arrive?: (page: Page) => Promise<void>;
}

/** Screens by name; the name is that of their pictures. */
export type Screens = Readonly<Record<string, Screen>>;
