/** The vault of this browser: why it did not do what was asked. */
export const vaultEn = {
  failures: {
    wrongSecret: {
      title: 'It does not open with this',
      text: 'Nothing was opened. Check the password, or use the right passkey.',
    },
    damaged: {
      title: 'What is kept here was changed',
      text: 'Something of it was altered or is broken, and does not open. Nothing was done. A backup brings it back.',
    },
    locked: { title: 'The vault is locked', text: 'Nothing was done. Unlock it, then do it again.' },
    unknown: {
      title: 'This browser has no such vault',
      text: 'It was forgotten, perhaps in another tab. A backup brings it back.',
    },
    exists: {
      title: 'This browser has that identity already',
      text: 'Nothing was changed. Unlock it, or forget it first.',
    },
    passwordShort: {
      title: 'The password is too short',
      text: 'Nothing was made. Take at least 10 characters.',
    },
    passkeyRefused: {
      title: 'The passkey was not used',
      text: 'The browser or somebody stopped it. Nothing was opened.',
    },
    passkeyWithoutSecret: {
      title: 'This passkey cannot seal',
      text: 'It gives no secret, so nothing was sealed with it. Take a password, or another passkey.',
    },
    tooLarge: {
      title: 'It does not fit in',
      text: 'Nothing was kept. What is too large or too much stays out.',
    },
    notABackup: {
      title: 'This is no backup',
      text: 'Nothing was restored. Choose the file that the wallet has saved.',
    },
    backupSealed: {
      title: 'The backup does not open',
      text: 'Nothing was restored. The password is another one, or the file was changed or cut.',
    },
    storage: {
      title: 'This browser keeps nothing',
      text: 'Private windows of some browsers do not. Nothing was kept.',
    },
  },
} as const;
