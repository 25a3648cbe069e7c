/** What this program is: told to whoever asks, and compared where an upgrade is planned. */
export const nodeVersion = '0.1.0';
