@rem The npm scripts say exec, so that no shell stays between npm and the program; cmd has no such word, and takes this.
@%*
